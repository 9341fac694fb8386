"""The network for graph boards: it knows fields by their links, and all symmetric positions alike."""

import numpy as np
import pytest
import torch

from agents.neural.compute import Judge
from agents.neural.config import NetworkConfig
from agents.neural.graph.encode import GraphEncoder, spread_counts
from agents.neural.kinds import make_bare_network, make_encoder, make_network, make_symmetries
from agents.neural.network import MASKED_LOGIT
from agents.neural.policy import ActionMap, choose
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from tests.aronda.test_symmetries import SYMMETRIES

SMALL = NetworkConfig(kind="graph", channels=8, blocks=2, hidden=16)
GRID = NetworkConfig(channels=8, blocks=1, hidden=8)


@pytest.fixture(scope="module")
def setup():
    return make_setup("aronda", {})


@pytest.fixture(scope="module")
def network(setup):
    with torch.random.fork_rng():
        torch.manual_seed(1)
        net = make_network(SMALL, setup)
        for parameter in net.parameters():  # heads and branches start at zero, which would hide every mix-up
            torch.nn.init.normal_(parameter, std=0.2)
    return net.eval()


def inputs(setup, num_games=4):
    """Positions as the network sees them: planes, constants, masks."""
    games = [random_start(setup, np.random.default_rng(seed), 1 + 4 * seed) for seed in range(num_games)]
    encoded = make_encoder(setup).encode(np.stack([game.observe(game.to_move) for game in games]))
    masks = ActionMap(setup).mask(np.stack([game.legal_mask() for game in games]))
    return tuple(torch.from_numpy(array) for array in (*encoded, masks))


def test_shapes_and_masks(setup, network):
    planes, constants, masks = inputs(setup)
    judgement, auxiliary = network(planes, constants, masks)
    assert judgement.logits.shape == (4, 26)
    assert judgement.values.shape == auxiliary.areas.shape == auxiliary.survivals.shape == (4, 2)
    assert auxiliary.owners.shape == (4, 3, 25)
    assert (judgement.logits[~masks] == MASKED_LOGIT).all()
    assert not masks[:, -1].any(), "a turn ends by itself"
    assert (judgement.logits[masks] > MASKED_LOGIT).all()
    for a, b in zip(network.judge(planes, constants, masks), judgement, strict=True):
        torch.testing.assert_close(a, b)


def test_a_position_is_judged_alike_alone_and_in_a_batch(setup, network):
    planes, constants, masks = inputs(setup)
    together, _ = network(planes, constants, masks)
    alone, _ = network(planes[1:2], constants[1:2], masks[1:2])
    torch.testing.assert_close(alone.logits[0], together.logits[1])
    torch.testing.assert_close(alone.values[0], together.values[1])


@pytest.mark.parametrize("mapping", SYMMETRIES[1:])
def test_symmetric_positions_are_judged_alike(setup, network, mapping):
    planes, constants, masks = inputs(setup)
    images = torch.tensor(mapping)
    judgement, auxiliary = network(planes, constants, masks)
    turned = network(planes[:, :, images], constants, torch.cat((masks[:, images], masks[:, -1:]), dim=1))
    torch.testing.assert_close(turned[0].logits[:, :-1], judgement.logits[:, images])
    torch.testing.assert_close(turned[0].values, judgement.values)
    torch.testing.assert_close(turned[1].owners, auxiliary.owners[:, :, images])


def test_a_board_in_disorder_is_judged_otherwise(setup, network):
    planes, constants, masks = inputs(setup)
    order = torch.from_numpy(np.random.default_rng(0).permutation(25))
    judgement = network.judge(planes, constants, masks)
    shuffled = network.judge(planes[:, :, order], constants, torch.cat((masks[:, order], masks[:, -1:]), dim=1))
    assert not torch.allclose(shuffled.values, judgement.values, atol=1e-4)


def test_what_lies_two_links_away_is_seen(setup, network):
    planes, constants, masks = inputs(setup, 1)
    fields = list(setup.neighbours[0])
    far = next(field for field in range(25) if field not in (0, *fields))
    changed = planes.clone()
    changed[:, :, far] = (planes[:, :, far] + 1) % 3
    with torch.no_grad():
        for block in network.blocks:
            block.context.weight.zero_()  # nothing but the links can tell
    before, after = (network.trunk(each, constants, masks)[0, 0] for each in (planes, changed))
    assert not torch.allclose(before, after)


def test_counts_are_told_apart_step_by_step():
    spread = spread_counts(torch.tensor([[[0, 1], [3, 9]]], dtype=torch.uint8))
    assert spread.tolist() == [[[0, 0, 0, 0, 1, 1, 1, 0], [1, 0, 0, 0, 1, 1, 1, 1]]]


def test_a_fresh_network_likes_all_legal_fields_alike(setup):
    planes, constants, masks = inputs(setup)
    judgement = make_network(SMALL, setup).judge(planes, constants, masks)
    shares = judgement.logits.softmax(1)
    for row, mask in zip(shares, masks, strict=True):
        torch.testing.assert_close(row[mask], torch.full((int(mask.sum()),), 1 / float(mask.sum())))
    assert judgement.values.abs().max() == 0


def test_choices_are_legal_game_actions(setup, network):
    game = random_start(setup, np.random.default_rng(5), 9)
    action_map = ActionMap(setup)
    mask = action_map.mask(game.legal_mask()[None])
    encoded = GraphEncoder(setup).encode(game.observe(game.to_move)[None])
    chosen = choose(Judge(network)(encoded, mask), np.random.default_rng(0))
    assert game.legal_mask()[action_map.game_actions(chosen.actions)[0]] == 1


@pytest.mark.parametrize(("config", "game"), [(GRID, "aronda"), (SMALL, "bitblossom")])
def test_a_network_of_the_wrong_kind_is_refused_in_one_line(config, game):
    with pytest.raises(ValueError, match=f"network.kind='{config.kind}' does not play on the board of {game}; allowed"):
        make_network(config, make_setup(game, {}))


def test_weights_need_no_board(network):
    bare = make_bare_network(SMALL).state_dict()
    assert {name: tensor.shape for name, tensor in network.state_dict().items()} == {
        name: tensor.shape for name, tensor in bare.items()
    }


def test_views_of_a_graph_are_one_and_of_a_grid_eight(setup):
    assert len(make_symmetries(setup)) == 1
    assert len(make_symmetries(make_setup("bitblossom", {"board_size": 5}))) == 8
