# SPDX-License-Identifier: GPL-3.0-or-later
"""A network that begins as another one: what stays the same, what is averaged, what is refused."""

import chess
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.core.network.architectures import ARCHITECTURES, REGIONS, SQUARED, UNSQUARED  # noqa: E402
from kingcobra.training.model.exchange import exported  # noqa: E402
from kingcobra.training.model.integers import IntegerNetwork  # noqa: E402
from kingcobra.training.model.reshaping import ReshapeError, reshaped  # noqa: E402
from kingcobra.training.runs.settings import FAMILIES  # noqa: E402
from tests.core.network.random_networks import random_network  # noqa: E402
from tests.training.model.test_exactness import random_fens, words_of  # noqa: E402

OLD = random_network(SQUARED.at_width(64))
# Its bucket, counted from h8, and its square.
G3_BUCKET, H3_BUCKET = 21, 20
# The plane of both kings.
KINGS = 10


def values(network, fens):
    return IntegerNetwork(network).evaluate(words_of(fens)).total


def both_kings_at_home(fen):
    board = chess.Board(fen, chess960=True)
    white, black = (board.king(colour) for colour in (chess.WHITE, chess.BLACK))
    return chess.square_rank(white) <= 1 and chess.square_rank(black) >= 6


@pytest.fixture(scope="module")
def fens():
    return random_fens(120)


@pytest.mark.parametrize("width", [64, 128, 192])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_wider_network_evaluates_as_before(family, width, fens):
    old = random_network(FAMILIES[family].at_width(64))
    wider = exported(reshaped(old, FAMILIES[family].at_width(width)), "wider")
    assert wider.architecture.width == width
    assert torch.equal(values(wider, fens), values(old, fens))


@pytest.mark.parametrize("width", [64, 128])
def test_kings_at_home_keep_their_rows(width, fens):
    regions = exported(reshaped(OLD, REGIONS.at_width(width)), "regions")
    home = [fen for fen in fens if both_kings_at_home(fen)]
    away = [fen for fen in fens if not both_kings_at_home(fen)]
    assert len(home) > 20
    assert len(away) > 20
    assert torch.equal(values(regions, home), values(OLD, home))
    assert not torch.equal(values(regions, away), values(OLD, away))


def test_squares_of_a_region_share_the_mean_of_their_rows():
    rows = OLD.weights.reshape(32, 11, 64, 64).astype(float)
    table = reshaped(OLD, REGIONS.at_width(64)).transformer.table().detach() * 127
    region = REGIONS.features.king_regions[G3_BUCKET]
    assert REGIONS.features.king_regions[H3_BUCKET] == region
    found = table[region].view(11, 64, 64).numpy()
    of_g3, of_h3 = rows[G3_BUCKET], rows[H3_BUCKET]
    mean = (of_g3 + of_h3) / 2
    elsewhere = [square for square in chess.SQUARES if square not in (chess.G3, chess.H3)]
    assert found[:KINGS, elsewhere] == pytest.approx(mean[:KINGS, elsewhere], abs=1e-3)
    # Where one of the kings stands no other man does.
    assert found[0, chess.G3] == pytest.approx(of_h3[0, chess.G3], abs=1e-3)
    assert found[KINGS, chess.G3] == pytest.approx(of_g3[KINGS, chess.G3], abs=1e-3)
    assert found[KINGS, chess.H3] == pytest.approx(of_h3[KINGS, chess.H3], abs=1e-3)
    # The other king stands beside neither.
    assert found[KINGS, chess.A8] == pytest.approx(mean[KINGS, chess.A8], abs=1e-3)
    assert found[KINGS, chess.F3] == pytest.approx(of_h3[KINGS, chess.F3], abs=1e-3)


@pytest.mark.parametrize(
    "architecture",
    [UNSQUARED.at_width(64), ARCHITECTURES[0].at_width(64), ARCHITECTURES[3].at_width(64)],
    ids=lambda one: one.name,
)
def test_other_families_are_refused(architecture):
    with pytest.raises(ReshapeError, match="cannot begin as HalfKAv2_hm"):
        reshaped(OLD, architecture)


def test_no_network_shrinks_or_parts_its_regions():
    with pytest.raises(ReshapeError):
        reshaped(random_network(SQUARED.at_width(128)), SQUARED.at_width(64))
    with pytest.raises(ReshapeError):
        reshaped(random_network(REGIONS.at_width(64)), SQUARED.at_width(64))
