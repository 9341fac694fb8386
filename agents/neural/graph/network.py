"""A network for boards whose fields are linked in any way: what a field knows goes along the links.

It knows fields by what lies in and around them, never by number, so it judges all symmetric positions alike without
being shown them. As on grids, residual branches start at zero and the whole board enters every block, here by its mean
alone: a maximum takes a tenth of the time of learning.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from agents.neural.config import NetworkConfig
from agents.neural.graph.encode import NUM_FEATURES, NUM_STEPS, spread_counts
from agents.neural.network import MASKED_LOGIT, MAX_SEATS, Network

LINK_WEIGHT = 0.25  # of each neighbour, so that a field with a usual number of them hears about one voice in all


def pool(features: torch.Tensor) -> torch.Tensor:
    """Returns float32 [B, 2C], mean and maximum over the board of `features` [B, N, C]."""
    return torch.cat((features.mean(1), features.amax(1)), dim=1)


class LinkBlock(nn.Module):
    """A field, its neighbours and the pooled board, on a residual branch that starts at zero."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.own = nn.Linear(channels, channels)
        self.near = nn.Linear(channels, channels, bias=False)
        self.context = nn.Linear(channels, channels)
        self.second = nn.Linear(channels, channels)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, features: torch.Tensor, links: torch.Tensor) -> torch.Tensor:
        """Returns the changed `features` float32 [B, N, C]; `links` float32 [N, N]."""
        active = functional.relu(features)  # [B, N, C]
        hidden = self.own(active) + self.near(links @ active)  # [B, N, C]
        hidden = hidden + self.context(active.mean(1))[:, None]  # [B, N, C]
        changed: torch.Tensor = features + self.second(functional.relu(hidden))  # [B, N, C]
        return changed


class GraphNetwork(Network):
    """Stem, trunk and heads for one graph; its weights fit every graph."""

    def __init__(self, config: NetworkConfig, links: torch.Tensor, num_seats: int) -> None:
        """Makes a fresh network.

        Args:
            config: its size.
            links: bool [N, N], whether two fields are neighbours.
            num_seats: P of the game that is played on them.
        """
        super().__init__(config)
        channels = config.channels
        self.num_seats = num_seats
        self.register_buffer("links", LINK_WEIGHT * links.float(), persistent=False)
        self.stem = nn.Linear(NUM_FEATURES + 1, channels)
        self.blocks = nn.ModuleList(LinkBlock(channels) for _ in range(config.blocks))
        self.policy_local = nn.Linear(channels, channels)
        self.policy_context = nn.Linear(2 * channels, channels)
        self.policy_place = nn.Linear(channels, 1)
        nn.init.zeros_(self.policy_place.weight)  # all fields alike at the start
        nn.init.zeros_(self.policy_place.bias)
        self.make_heads()
        self.field_owners = nn.Linear(channels, 1 + MAX_SEATS)

    def trunk(self, planes: torch.Tensor, constants: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:  # noqa: ARG002
        """Returns features float32 [B, N, C]; `planes` uint8 [B, F, N], `constants` uint8 [B, 0]."""
        counts = spread_counts(planes)  # [B, N, 4F]
        legal = mask[:, :-1, None].float()  # [B, N, 1] where a stone may be placed is seen at once
        # Planes that the game lacks would be zero, so only the weights of those it has are multiplied.
        width = NUM_STEPS * planes.shape[1]
        weight = torch.cat((self.stem.weight[:, :width], self.stem.weight[:, -1:]), dim=1)  # [C, 4F + 1]
        features = functional.linear(torch.cat((counts, legal), dim=2), weight, self.stem.bias)  # [B, N, C]
        for block in self.blocks:
            features = block(features, self.links)  # [B, N, C]
        return functional.relu(features)

    def pool(self, features: torch.Tensor) -> torch.Tensor:
        """Returns float32 [B, 2C]."""
        return pool(features)

    def place(self, features: torch.Tensor, pooled: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Returns masked logits float32 [B, N + 1]; a turn ends by itself, the last is never legal."""
        local = self.policy_local(features) + self.policy_context(pooled)[:, None]  # [B, N, C]
        place = self.policy_place(functional.relu(local))[:, :, 0]  # [B, N]
        return functional.pad(place, (0, 1)).masked_fill(~mask, MASKED_LOGIT)

    def own(self, features: torch.Tensor) -> torch.Tensor:
        """Returns float32 [B, 9, N]."""
        owners: torch.Tensor = self.field_owners(features).transpose(1, 2)
        return owners

    def count_seats(self, constants: torch.Tensor) -> int:  # noqa: ARG002 - the observation does not tell
        """Returns P."""
        return self.num_seats
