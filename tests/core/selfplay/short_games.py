# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what two very short runs of self-play write: python -m tests.core.selfplay.short_games"""

from kingcobra.training.selfplay.player import GAME_OVER, Objects, SelfPlayer, Teacher
from kingcobra.training.selfplay.settings import KINDS, SelfPlaySettings


def main():
    objects = Objects.obtain(lambda _text: None)
    for kind in KINDS:
        settings = SelfPlaySettings(
            kind=kind, soft_nodes=2, most_plies=5, chess960_share=1.0, one_in=2, hash_kib=4
        )
        player = SelfPlayer(objects, settings, Teacher())
        player.begin(0)
        assert player.play_on() == GAME_OVER
        print(kind, player.take().hex())


if __name__ == "__main__":
    main()
