"""Game records: replayed to the same position, or refused by the turn or the field that is wrong."""

import json

import numpy as np
import pytest

from bitblossom_env.core.record import RecordError, read_records, replay, write_records
from tests.envs.playing import drain, made, play

ARGUMENTS = {"num_players": 3, "board_size": 5, "home_bases": "random"}


def recorded(num_actions, **options):
    env = made(ARGUMENTS, seed=9, **options)
    play(env, np.random.default_rng(9), num_actions)
    return env, json.loads(json.dumps(env.record()))


@pytest.fixture(scope="module")
def record():
    """The record of a game in its seventh turn or later, in the middle of a turn."""
    for num_actions in range(40, 80):
        env, record = recorded(num_actions)
        if len(record["turns"]) >= 7 and env.game.to_position()["pieces"] and record["hash"] != record["hashes"][-1]:
            return record
    raise AssertionError("no game was left within a turn")


@pytest.mark.parametrize("num_actions", [0, 1, 25, 10**9])
@pytest.mark.parametrize("options", [{}, {"random_turns": 3}, {"starting_player": 2}], ids=str)
def test_a_record_replays_to_the_same_position(num_actions, options):
    env, record = recorded(num_actions, **options)
    game = replay(record)
    assert game.hash() == env.game.hash()
    assert game.to_position() == env.game.to_position()
    assert game.is_over == env.game.is_over
    assert record["hash"] == f"{game.hash():016x}"
    if env.game.is_over:
        drain(env)
        assert env.record() == record
    else:
        other = made(ARGUMENTS, seed=99)
        other.reset(options={"record": record})
        assert other.game.hash() == env.game.hash()
        assert other.record()["start"] == json.loads(json.dumps(env.game.to_position()))


def test_lines_and_hashes_are_those_of_the_turns(record):
    assert record["turns"][0].startswith("0 seat 0: ")
    assert len(record["turns"]) == len(record["hashes"])
    for number, value in enumerate(record["hashes"]):
        assert f"{replay(record, number + 1).hash():016x}" == value
    assert replay(record, 0).to_position() == record["start"]
    with pytest.raises(RecordError, match=rf"\b{len(record['turns']) + 1}\b"):
        replay(record, len(record["turns"]) + 1)


def at(values, index, value):
    return [*values[:index], value, *values[index + 1 :]]


FORGERIES = {
    "line": (lambda r: {"turns": at(r["turns"], 2, r["turns"][2] + " a1")}, "turn 2 "),
    "line of another seat": (
        lambda r: {"turns": at(r["turns"], 1, r["turns"][1].replace("seat 1", "seat 2"))},
        "turn 1 ",
    ),
    "lines exchanged": (lambda r: {"turns": [r["turns"][1], r["turns"][0], *r["turns"][2:]]}, "turn 0 "),
    "line that is none": (lambda r: {"turns": at(r["turns"], 4, 5)}, "turn 4 "),
    "line too few": (lambda r: {"turns": r["turns"][:-1]}, lambda r: f"turn {len(r['turns']) - 1} "),
    "lines too few": (lambda r: {"turns": r["turns"][:3]}, "turn 3 "),
    "no lines": (lambda _: {"turns": []}, "turn 0 "),
    "line too many": (lambda r: {"turns": [*r["turns"], r["turns"][-1]]}, lambda r: f"turn {len(r['turns'])}"),
    "hash": (lambda r: {"hashes": at(r["hashes"], 1, "0" * 16)}, "turn 1 "),
    "hash as a number": (lambda r: {"hashes": at(r["hashes"], 3, int(r["hashes"][3], 16))}, "turn 3 "),
    "hash too few": (lambda r: {"hashes": r["hashes"][:-1]}, lambda r: f"turn {len(r['turns']) - 1} "),
    "hashes too few": (lambda r: {"hashes": r["hashes"][:2]}, "turn 2 "),
    "hash too many": (lambda r: {"hashes": [*r["hashes"], r["hash"]]}, lambda r: f"turn {len(r['turns'])}"),
    "hash of the end": (lambda _: {"hash": "0" * 16}, lambda r: f"turn {len(r['turns'])} "),
    "action left out": (lambda r: {"actions": r["actions"][1:]}, "turn 0"),
    "last action left out": (lambda r: {"actions": r["actions"][:-1]}, "turn"),
    "actions of the last turn left out": (
        lambda r: {"actions": r["actions"][: len(r["actions"]) - r["actions"][::-1].index(50) - 1]},
        "turn",
    ),
    "illegal action": (lambda r: {"actions": [49, *r["actions"]]}, "turn 0"),
    "action that is none": (lambda r: {"actions": at(r["actions"], 0, "a1")}, "turn 0"),
    "action null": (lambda r: {"actions": at(r["actions"], 0, None)}, "turn 0"),
    "action true": (lambda r: {"actions": at(r["actions"], 0, True)}, "turn 0"),
    "version": (lambda _: {"version": 2}, "version=2"),
    "version true": (lambda _: {"version": True}, "version=True"),
    "version as text": (lambda _: {"version": "1"}, "version='1'"),
    "format": (lambda _: {"format": "other"}, "bitblossom-record"),
    "turns no list": (lambda r: {"turns": "\n".join(r["turns"])}, "turns"),
    "hashes no list": (lambda _: {"hashes": {}}, "hashes"),
    "hash no text": (lambda r: {"hash": int(r["hash"], 16)}, "hash"),
    "actions no list": (lambda _: {"actions": None}, "actions"),
    "start no object": (lambda _: {"start": []}, "start"),
    "rules no object": (lambda _: {"rules": []}, "rules"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_refused_by_turn_or_field(record, name):
    forge, word = FORGERIES[name]
    expected = word if isinstance(word, str) else word(record)
    forged = {**record, **forge(record)}
    assert json.dumps(forged) != json.dumps(record)
    with pytest.raises(RecordError) as caught:
        replay(forged)
    assert expected in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)
    env = made(ARGUMENTS, seed=1)
    before = env.game.hash()
    with pytest.raises(RecordError):
        env.reset(options={"record": forged})
    assert env.game.hash() == before


@pytest.mark.parametrize("field", ["format", "version", "game", "rules", "start", "actions", "turns", "hashes", "hash"])
def test_a_missing_field_is_named(record, field):
    with pytest.raises(RecordError, match=field) as caught:
        replay({name: value for name, value in record.items() if name != field})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("record", [None, [], "record", 5])
def test_what_is_no_record_is_refused(record):
    with pytest.raises(RecordError, match="record"):
        replay(record)


def test_a_file_gives_back_what_was_written(record, tmp_path):
    path = tmp_path / "games.jsonl"
    write_records(path, [record, recorded(3)[1]])
    assert list(read_records(path)) == [record, recorded(3)[1]]
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"], "nothing is left beside the file"


@pytest.mark.parametrize(
    "line", [b"\xff\xfe\x00", b"{", b"[]", b"null", b"\n", b'{"format": "bitblossom-record", "version": true}'], ids=str
)
def test_a_broken_line_is_named_with_its_file(record, tmp_path, line):
    path = tmp_path / "games.jsonl"
    path.write_bytes(json.dumps(record).encode() + b"\n" + line + b"\n")
    records = read_records(path)
    assert next(records) == record
    with pytest.raises(RecordError, match=r"games\.jsonl: line 2") as caught:
        next(records)
    assert "\n" not in str(caught.value)


def test_an_interrupted_write_leaves_the_old_file(record, tmp_path):
    path = tmp_path / "games.jsonl"
    write_records(path, [record])
    before = path.read_bytes()
    with pytest.raises(TypeError, match="serializable"):
        write_records(path, [record, {"actions": {1, 2}}])
    assert path.read_bytes() == before
