"""What `BatchEnv` makes of actions before kernels see them."""

import numpy as np
import pytest

from bitblossom_env.core.game import IllegalActionError
from bitblossom_env.envs.batch.arguments import checked_actions


def test_actions_reach_the_kernels_in_one_form():
    frozen = np.arange(4)
    frozen.flags.writeable = False
    apart = np.zeros(33, np.uint8)[1:].view(np.int64)  # not aligned
    for actions in (frozen, apart, np.arange(8)[::2], np.arange(4, dtype=np.int8), [1, 2, 3, 4]):
        taken = checked_actions(actions, 4)
        assert taken.tolist() == list(actions)
        assert taken.dtype == np.int64
        assert taken.flags.carray


def test_an_action_too_great_for_a_kernel_is_named_as_it_was_given():
    with pytest.raises(IllegalActionError, match=str(2**64 - 1)):
        checked_actions(np.full(4, 2**64 - 1, np.uint64), 4)
