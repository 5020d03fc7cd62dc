# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's integers against the NumPy twin and the engine; floats against their own integers;
files that come back as they went."""

import random
from functools import partial

import chess
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch.overrides import TorchFunctionMode  # noqa: E402

from kingcobra.core.network.architectures import ARCHITECTURES, KINGS_TOGETHER, SQUARED  # noqa: E402
from kingcobra.networks import plain  # noqa: E402
from kingcobra.networks.file import parse_network, write_network  # noqa: E402
from kingcobra.training.data.packed import as_words, packed_fen  # noqa: E402
from kingcobra.training.model.decoding import decode, lit_columns  # noqa: E402
from kingcobra.training.model.exchange import ExportError, exported, imported  # noqa: E402
from kingcobra.training.model.integers import IntegerNetwork  # noqa: E402
from kingcobra.training.model.scales import OUTPUT_ONE, ROW_ONE  # noqa: E402
from kingcobra.training.model.trainable import TrainableNetwork  # noqa: E402
from kingcobra.training.model.transformer import can_group  # noqa: E402
from tests.core.network.random_networks import random_network  # noqa: E402

HALFKP = ARCHITECTURES[0]
FAMILIES = [family.at_width(128) for family in ARCHITECTURES]
# Raw units: PSQT weights, of which the forward pass rounds none, add up to at most so many; what
# else is dropped, a division by two and one by 8128, to so few.
UNROUNDED, TRUNCATED = 32, 2
# Of a mantissa's 23 bits, those that TF32 does without.
LOST_BITS = (1 << 13) - 1


def random_fens(count, seed=1):
    rng = random.Random(seed)
    fens = []
    while len(fens) < count:
        board = (
            chess.Board()
            if rng.random() < 0.7
            else chess.Board.from_chess960_pos(rng.randrange(960))
        )
        for _ in range(rng.randrange(150)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        fens.append(board.shredder_fen())
    return fens


def words_of(fens):
    return torch.from_numpy(as_words(np.array([packed_fen(fen) for fen in fens])))


@pytest.fixture(scope="module")
def fens():
    return random_fens(60)


def twin_values(network, fens):
    found = [plain.evaluate(network, plain.men_of_fen(fen)) for fen in fens]
    return (
        [value.psqt[value.bucket] for value in found],
        [value.positional[value.bucket] for value in found],
    )


def trained(architecture):
    """A network with numbers of the size that training gives them."""
    torch.manual_seed(7)
    network = TrainableNetwork(architecture)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter += torch.randn_like(parameter) * (0.2 if "fc" in name else 0.05)
    network.clip()
    return network


@pytest.mark.parametrize("architecture", FAMILIES, ids=lambda one: one.name)
def test_integers_are_the_twins(architecture, fens):
    network = random_network(architecture)
    found = IntegerNetwork(network).evaluate(words_of(fens))
    assert (found.psqt.tolist(), found.positional.tolist()) == twin_values(network, fens)


@pytest.mark.parametrize("architecture", FAMILIES, ids=lambda one: one.name)
def test_an_export_is_close_to_what_was_trained(architecture, fens):
    network = trained(architecture)
    batch = decode(words_of(fens), architecture.features, architecture.stacks)
    integers = IntegerNetwork(exported(network, "test")).evaluate(words_of(fens)).total
    with torch.no_grad():
        floats = network(batch.views, batch.stack) * OUTPUT_ONE
        rounded = network(batch.views, batch.stack, rounds=True) * OUTPUT_ONE
    spread = floats.std().item()
    assert (floats - integers).abs().mean().item() < 0.1 * spread
    most = UNROUNDED if architecture.psqt_buckets else TRUNCATED
    assert (rounded - integers).abs().max() <= most


@pytest.mark.parametrize("architecture", [SQUARED.at_width(128), HALFKP], ids=lambda one: one.name)
def test_a_file_comes_back_as_it_went(architecture, tmp_path):
    network = exported(trained(architecture), "made by a test")
    path = tmp_path / "exported.nnue"
    write_network(network, path)
    again = parse_network(path.read_bytes(), squared=architecture.squared or None)
    assert again.description == b"made by a test"
    assert exported(imported(again), "again").same_weights(network)


def test_numbers_that_do_not_fit_are_named():
    network = trained(SQUARED.at_width(64))
    with torch.no_grad():
        network.fc1[3, 2, 1] = 2.5
    with pytest.raises(ExportError, match=r"stack 3, fc1 weight \(2, 1\) is 160, limit 127; 1 of"):
        exported(network, "too large")
    with torch.no_grad():
        network.fc1[3, 2, 1] = float("nan")
    with pytest.raises(ExportError, match="is nan"):
        exported(network, "no number")


def test_clipping_counts_the_shared_part():
    network = trained(SQUARED.at_width(64))
    with torch.no_grad():
        network.fc0_shared += 3
    network.clip()
    exported(network, "fits")


def virtual_rows(features):
    """For each bucket and input, the virtual row that it shares with other buckets."""
    inputs = features.planes * 64
    rows = torch.arange(inputs).repeat(features.king_buckets, 1)
    if features.king_planes == KINGS_TOGETHER:
        for bucket in range(features.king_buckets):
            for square in features.king_squares(bucket):
                rows[bucket, 640 + square] = inputs + square
    return rows


@pytest.mark.parametrize("architecture", FAMILIES, ids=lambda one: one.name)
def test_virtual_rows_are_added_to_every_bucket(architecture):
    transformer = trained(architecture).transformer
    expected = transformer.rows + transformer.virtual[virtual_rows(architecture.features)]
    assert torch.equal(transformer.table(), expected)


def test_the_own_king_has_a_virtual_row_of_its_own(fens):
    """Though the file has one plane for both kings."""
    features = SQUARED.features
    virtual = virtual_rows(features)
    planes = features.planes * 64
    assert virtual.shape == (32, planes)
    assert (virtual >= planes).sum(dim=1).tolist() == [1] * 32
    batch = decode(words_of(fens), features, SQUARED.stacks)
    own_kings = virtual[batch.views.bucket][lit_columns(batch.views, features)] >= planes
    assert own_kings.sum().item() == 2 * len(fens)


@pytest.mark.parametrize("architecture", FAMILIES, ids=lambda one: one.name)
def test_both_ways_of_the_transformer_are_equal(architecture, fens):
    """By looking rows up, and by a product for each king's bucket: values and gradients."""
    assert can_group(torch.device("cpu"))
    network = trained(architecture)
    transformer = network.transformer
    views = decode(words_of(fens), architecture.features, architecture.stacks).views
    found = []
    for way in (transformer.by_bags, partial(transformer.by_products, precision=torch.float32)):
        network.zero_grad()
        sums, psqt = way(views, transformer.table())
        ((sums + transformer.biases).square().sum() + psqt.square().sum()).backward()
        gradients = [parameter.grad.clone() for parameter in transformer.parameters()]
        found.append((sums.detach(), psqt.detach(), *gradients))
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_half_precision_is_near():
    """What a GPU does, within the rounding of eight bits."""
    network = trained(SQUARED.at_width(64))
    views = decode(words_of(random_fens(20)), SQUARED.features, 8).views
    with torch.no_grad():
        sums, psqt = network.transformer.by_bags(views, network.transformer.table())
        near, near_psqt = network.transformer.by_products(views, network.transformer.table())
    torch.testing.assert_close(near, sums, rtol=0.03, atol=0.03)
    torch.testing.assert_close(near_psqt, psqt, rtol=0.02, atol=0.02)


def test_the_psqt_of_a_file_is_not_rounded():
    """A network that goes on from a file has its large numbers where no product rounds them: half
    precision would be off by dozens of the file's integers for a queen alone."""
    network = trained(SQUARED.at_width(64))
    with torch.no_grad():
        network.transformer.psqt_rows.zero_()
        transformer = imported(exported(network, "begun")).transformer
        views = decode(words_of(random_fens(20)), SQUARED.features, 8).views
        _, psqt = transformer.by_bags(views, transformer.table())
        _, near = transformer.by_products(views, transformer.table())
    assert psqt.abs().max() > 1
    torch.testing.assert_close(near, psqt, rtol=0, atol=1 / OUTPUT_ONE)


def test_whole_numbers_of_an_export_are_not_rounded():
    """Sums up to 256 of them."""
    transformer = trained(SQUARED.at_width(64)).transformer
    views = decode(words_of(random_fens(20)), SQUARED.features, 8).views
    with torch.no_grad():
        table = torch.randint_like(transformer.table(), -8, 9) / ROW_ONE
        sums, _ = transformer.by_bags(views, table)
        near, _ = transformer.by_products(views, table)
    torch.testing.assert_close(near, sums, rtol=0, atol=0.01 / ROW_ONE)


class Tf32Products(TorchFunctionMode):
    """Within it `@` multiplies as a GPU may, and counts."""

    def __init__(self):
        super().__init__()
        self.products = 0

    def __torch_function__(self, function, _types, arguments=(), named=None):
        if function is torch.Tensor.matmul:
            self.products += 1
            arguments = [shortened(factor) for factor in arguments]
        return function(*arguments, **(named or {}))


def shortened(factor):
    """Its numbers as TF32 has them."""
    return (factor.view(torch.int32) & ~LOST_BITS).view(torch.float32)


def test_the_psqt_that_buckets_share_is_not_rounded():
    """Though its product is one of TF32, which alone would be off by tens of a file's integers."""
    transformer = trained(SQUARED.at_width(64)).transformer
    views = decode(words_of(random_fens(20)), SQUARED.features, 8).views
    lit = lit_columns(views, SQUARED.features).float()
    with torch.no_grad():
        transformer.psqt_rows.zero_()
        _, psqt = transformer.by_bags(views, transformer.table())
        with Tf32Products() as tf32:
            _, near = transformer.by_products(views, transformer.table())
            plain_products = lit @ transformer.psqt_virtual
    assert tf32.products == 2
    torch.testing.assert_close(near, psqt, rtol=0, atol=1 / OUTPUT_ONE)
    assert (plain_products - psqt).abs().max() > 20 / OUTPUT_ONE


def test_labels_are_decoded():
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    record = packed_fen(fen, score=-12345, result=2)
    batch = decode(torch.from_numpy(as_words(record[None])), SQUARED.features, 8)
    assert batch.labels.score.tolist() == [-12345]
    assert batch.labels.result.tolist() == [2]
    assert batch.stack.tolist() == [0]


@pytest.fixture(scope="module")
def many_fens():
    return random_fens(2000, seed=2)


@pytest.mark.slow
@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("width", [128, 256, 512])
def test_two_thousand_positions_of_a_fresh_export(width, many_fens):
    """PyTorch = NumPy twin = engine."""
    from kingcobra.networks.loading import from_memory
    from kingcobra.networks.raw_evaluations import compiled_evaluator

    network = exported(trained(SQUARED.at_width(width)), "fresh")
    found = IntegerNetwork(network).evaluate(words_of(many_fens))
    pairs = list(zip(found.psqt.tolist(), found.positional.tolist(), strict=True))
    assert pairs == list(zip(*twin_values(network, many_fens), strict=True))
    answer = compiled_evaluator(from_memory(network, "fresh", print), print)
    assert [(one.psqt, one.positional) for one in map(answer, many_fens)] == pairs
