import numpy as np
import pytest
import torch

from agents.neural.network import MASKED_LOGIT, Auxiliary, Judgement
from training.config import PpoConfig
from training.losses import Minibatch, compute_losses
from training.records import Results


def make_results(**given):
    """One game of three seats on one row of three cells, seat i at the end on cell i."""
    usual = {
        "returns": np.array([[1.0, -0.5, -0.5]]),
        "owners": np.array([[0, 1, 2]]),
        "areas": np.array([[1 / 3, 1 / 3, 1 / 3]]),
        "survived": np.array([[True, True, True]]),
        "win_shares": np.array([[1.0, 0.0, 0.0]]),
        "learner": np.array([[True, True, True]]),
        "turns": np.array([9]),
        "symmetries": np.array([0]),
    }
    return Results(**{**usual, **given})


def one_decision(logits, action, old_log_prob, advantage):
    """The policy terms of a single decision among `logits`."""
    actions = torch.tensor([action])
    batch = Minibatch(
        *(torch.zeros(1, 1, dtype=torch.uint8),) * 2,
        masks=torch.tensor([logits]) > MASKED_LOGIT,
        actions=actions,
        log_probs=torch.tensor([old_log_prob]),
        advantages=torch.tensor([advantage]),
        policies=torch.empty(1, 0),
        policy_weights=torch.zeros(1),
        value_targets=torch.zeros(1, 2),
        owners=torch.zeros(1, 1, 1, dtype=torch.int64),
        areas=torch.zeros(1, 2),
        survived=torch.ones(1, 2),
    )
    auxiliary = Auxiliary(torch.zeros(1, 3, 1, 1), torch.zeros(1, 2), torch.zeros(1, 2))
    return compute_losses(Judgement(torch.tensor([logits]), torch.zeros(1, 2)), auxiliary, batch, clip=0.2)


def test_masked_actions_have_no_probability_and_no_entropy():
    losses = one_decision([0.0, 0.0, MASKED_LOGIT], 0, float(np.log(0.5)), 1.0)
    assert losses.entropy.item() == pytest.approx(np.log(2))
    assert losses.policy.item() == pytest.approx(-1.0)
    assert losses.kl.item() == pytest.approx(0.0, abs=1e-6)


def test_a_single_legal_action_is_certain_and_makes_no_nan():
    losses = one_decision([MASKED_LOGIT, 3.0, MASKED_LOGIT], 1, 0.0, 1.0)
    assert losses.entropy.item() == 0.0
    assert all(torch.isfinite(term) for term in losses)


@pytest.mark.parametrize(("advantage", "expected"), [(1.0, -1.2), (-1.0, 2.0)])
def test_the_clip_limits_gains_only(advantage, expected):
    # The action has become twice as likely: a gain counts up to 1.2, a loss counts in full.
    losses = one_decision([0.0, 0.0], 0, float(np.log(0.25)), advantage)
    assert losses.policy.item() == pytest.approx(expected, rel=1e-5)
    assert losses.clipped.item() == 1.0


def test_total_weighs_every_term():
    losses = one_decision([0.0, 1.0], 0, -1.0, 0.5)
    config = PpoConfig(value_weight=2.0, owner_weight=3.0, area_weight=5.0, survival_weight=7.0)
    policy, value, owner, area, survival, entropy, _, _ = (term.item() for term in losses)
    expected = policy + 2 * value + 3 * owner + 5 * area + 7 * survival - 11 * entropy
    assert losses.total(config, 11.0).item() == pytest.approx(expected, rel=1e-6)


def test_random_masks_give_proper_distributions():
    rng = np.random.default_rng(0)
    masks = torch.from_numpy(rng.random((2000, 500)) < rng.random((2000, 1)) ** 4)
    masks[torch.arange(2000), torch.from_numpy(rng.integers(500, size=2000))] = True
    logits = torch.from_numpy(rng.normal(scale=20, size=(2000, 500)).astype(np.float32))
    for dtype in (torch.float32, torch.bfloat16):
        masked = logits.to(dtype).float().masked_fill(~masks, MASKED_LOGIT)
        probabilities = masked.log_softmax(1).exp()
        assert (probabilities[~masks] == 0).all()
        torch.testing.assert_close(probabilities.sum(1), torch.ones(2000))
