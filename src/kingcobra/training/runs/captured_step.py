# SPDX-License-Identifier: GPL-3.0-or-later
"""A training step as a CUDA graph. A GPU finishes a step of 16,384 positions sooner than Python can
launch its hundred kernels one by one; recorded once, they are launched as one."""

from collections.abc import Callable

import torch
from torch import Tensor

Step = Callable[[Tensor, bool], Tensor]


class CapturedStep:
    """A recorded step, called with the same arguments: a batch, and whether weights are rounded.
    The loss that it returns is overwritten by the next step."""

    def __init__(self, step: Step, words: Tensor) -> None:
        """Records `step` for batches like `words`. Nothing is learnt meanwhile. The step must have
        run before, gradients must be none, and its tensors must stay where they are from now on."""
        self._words = words.clone()
        self._graphs: dict[bool, torch.cuda.CUDAGraph] = {}
        self._losses: dict[bool, Tensor] = {}
        pool = torch.cuda.graph_pool_handle()
        for rounds in (False, True):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool):
                self._losses[rounds] = step(self._words, rounds)
            self._graphs[rounds] = graph

    def __call__(self, words: Tensor, rounds: bool) -> Tensor:
        self._words.copy_(words)
        self._graphs[rounds].replay()
        return self._losses[rounds]
