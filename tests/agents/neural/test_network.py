import numpy as np
import pytest
import torch

from agents.neural.compute import Judge
from agents.neural.config import NetworkConfig
from agents.neural.grid.encode import (
    NUM_SEAT_CONSTANTS,
    NUM_SHARED_CONSTANTS,
    NUM_SHARED_PLANES,
    SEAT_PLANES,
    GridEncoder,
)
from agents.neural.grid.network import BlossomNetwork, PolicyHead, pool
from agents.neural.network import MASKED_LOGIT, MAX_SEATS, Judgement
from agents.neural.policy import ActionMap, choose
from bitblossom_env.core.game import make_setup

SMALL = NetworkConfig(channels=8, blocks=2, hidden=16)


@pytest.fixture(scope="module")
def network():
    with torch.random.fork_rng():
        torch.manual_seed(1)
        net = BlossomNetwork(SMALL)
        for parameter in net.parameters():  # heads and branches start at zero, which would hide every mix-up
            torch.nn.init.normal_(parameter, std=0.2)
    return net.eval()


def inputs(num_seats, rows, cols, batch=3, seed=0):
    rng = np.random.default_rng(seed)
    planes = rng.integers(0, 2, (batch, NUM_SHARED_PLANES + num_seats * len(SEAT_PLANES), rows, cols))
    constants = rng.integers(0, 9, (batch, NUM_SHARED_CONSTANTS + num_seats * NUM_SEAT_CONSTANTS))
    mask = rng.random((batch, rows * cols + 1)) < 0.5
    mask[:, -1] = True
    return tuple(torch.from_numpy(a) for a in (planes.astype(np.uint8), constants.astype(np.uint8), mask))


@pytest.mark.parametrize("num_seats", [2, 3, 8])
@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (7, 7), (5, 9), (32, 32)])
def test_shapes_for_every_board_and_number_of_seats(network, num_seats, rows, cols):
    planes, constants, mask = inputs(num_seats, rows, cols)
    judgement, auxiliary = network(planes, constants, mask)
    assert judgement.logits.shape == (3, rows * cols + 1)
    assert judgement.values.shape == auxiliary.areas.shape == auxiliary.survivals.shape == (3, num_seats)
    assert auxiliary.owners.shape == (3, num_seats + 1, rows, cols)
    assert torch.isfinite(judgement.logits).all()
    assert (judgement.logits[~mask] == MASKED_LOGIT).all()


def test_acting_and_learning_see_the_same(network):
    arguments = inputs(3, 7, 7)
    whole, _ = network(*arguments)
    for a, b in zip(network.judge(*arguments), whole, strict=True):
        torch.testing.assert_close(a, b)


def test_a_position_is_judged_alike_alone_and_in_a_batch(network):
    planes, constants, mask = inputs(2, 7, 7, batch=5)
    together = network.judge(planes, constants, mask)
    alone = network.judge(planes[3:4], constants[3:4], mask[3:4])
    torch.testing.assert_close(together.logits[3:4], alone.logits)
    torch.testing.assert_close(together.values[3:4], alone.values)


def test_absent_seats_are_zero_planes(network):
    planes, constants, mask = inputs(2, 5, 5)
    padded_planes = torch.zeros(3, NUM_SHARED_PLANES + MAX_SEATS * len(SEAT_PLANES), 5, 5, dtype=torch.uint8)
    padded_planes[:, : planes.shape[1]] = planes
    width = NUM_SHARED_CONSTANTS + MAX_SEATS * NUM_SEAT_CONSTANTS
    padded_constants = torch.zeros(3, width, dtype=torch.uint8)
    padded_constants[:, : constants.shape[1]] = constants
    padded_constants[:, NUM_SHARED_CONSTANTS - 1] = constants[:, NUM_SHARED_CONSTANTS - 1] * (MAX_SEATS - 1)
    judged = network.judge(planes, constants, mask)
    padded = network.judge(padded_planes, padded_constants, mask)
    torch.testing.assert_close(padded.logits, judged.logits)
    torch.testing.assert_close(padded.values[:, :2], judged.values)


@pytest.mark.parametrize("factor", [2, 3])
def test_tiling_keeps_the_probability_of_ending_the_turn(factor):
    with torch.random.fork_rng():
        torch.manual_seed(2)
        head = PolicyHead(8, 16)
        torch.nn.init.normal_(head.end.weight, std=0.5)
        torch.nn.init.normal_(head.place.weight, std=0.5)
        features = torch.randn(4, 8, 1, 1)
    probabilities = []
    for side in (7, 7 * factor):
        board = features.expand(4, 8, side, side)
        mask = torch.ones(4, side * side + 1, dtype=torch.bool)
        probabilities.append(head(board, pool(board), mask).softmax(1)[:, -1])
    assert (probabilities[0] > 1e-4).all()
    torch.testing.assert_close(probabilities[0], probabilities[1], rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("board_size", [7, 14, 28])
def test_a_fresh_network_ends_turns_early_with_5_percent_on_every_board(board_size):
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": board_size, "opening_rule": "none"})
    game = setup.new_game(np.random.default_rng(0))
    mask = ActionMap(setup).mask(game.legal_mask()[None])
    judgement = Judge(BlossomNetwork(SMALL))(GridEncoder(setup).encode(game.observe(0)[None]), mask)
    assert judgement.logits.softmax(1)[0, -1].item() == pytest.approx(1 / (1 + np.exp(3)), rel=1e-3)
    assert judgement.values.abs().max() == 0


def test_choice_follows_the_probabilities_and_never_the_mask():
    logits = torch.tensor([[0.0, 1.0, MASKED_LOGIT, 2.0]]).repeat(20_000, 1)
    chosen = choose(Judgement(logits, torch.zeros(20_000, 2)), np.random.default_rng(0))
    shares = np.bincount(chosen.actions, minlength=4) / 20_000
    np.testing.assert_allclose(shares, logits[0].softmax(0).numpy(), atol=0.012)
    assert shares[2] == 0
    np.testing.assert_allclose(chosen.log_probs[:50], logits[0].log_softmax(0).numpy()[chosen.actions[:50]])


def test_temperature_0_takes_the_likeliest():
    logits = torch.tensor([[0.0, 1.0, 0.5], [3.0, 1.0, MASKED_LOGIT]])
    chosen = choose(Judgement(logits, torch.zeros(2, 2)), np.random.default_rng(0), temperature=0.0)
    assert chosen.actions.tolist() == [1, 0]
