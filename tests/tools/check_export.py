"""Reads an exported data set with the packages that others read it with, and compares what each of them sees.

    bench export run RUNS --out DIR/parquet --format parquet     # and so for arrow, jsonl, csv
    python tests/tools/check_export.py DIR                        # datasets, pyarrow, duckdb, pandas, pillow

The JSON lines are the reference: every value that `datasets`, pyarrow, DuckDB and the csv module read from the other
forms has to be the same, pictures byte by byte. Prints what it compared; an assertion fails where something differs.
"""
import base64
import csv
import io
import json
import math
import sys
import tempfile
from pathlib import Path

import datasets
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

root = Path(sys.argv[1])
# Its own cache takes two folders of one name for each other.
datasets.config.HF_DATASETS_CACHE = Path(tempfile.mkdtemp())
csv.field_size_limit(10**9)


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def split_of(folder):
    return sorted(folder.iterdir())[0].stem


def plain(value):
    """Bytes as base64, as the JSON lines have them."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return value


def same(wanted, got, where):
    """JSON columns are text in all but the JSON lines."""
    if isinstance(got, str) and not isinstance(wanted, str) and wanted is not None:
        got = json.loads(got)
    if isinstance(wanted, dict):
        assert isinstance(got, dict) and wanted.keys() == got.keys(), (where, list(wanted), str(got)[:80])
        for key in wanted:
            same(wanted[key], got[key], f"{where}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(got, list) and len(wanted) == len(got), (where, str(wanted)[:80], str(got)[:80])
        for at, (a, b) in enumerate(zip(wanted, got)):
            same(a, b, f"{where}[{at}]")
    elif isinstance(wanted, float) or isinstance(got, float):
        assert wanted is not None and got is not None and math.isclose(wanted, got, rel_tol=0, abs_tol=0), (where, wanted, got)
    else:
        assert wanted == got, (where, str(wanted)[:80], str(got)[:80])


for file in sorted((root / "jsonl").glob("*/*.jsonl")):
    config, split = file.parent.name, file.stem
    name = f"{config}/{split}"
    wanted = rows_of(file)

    parquet = root / "parquet" / config / f"{split}-00000-of-00001.parquet"
    table = pq.read_table(parquet)
    same(wanted, plain(table.to_pylist()), f"pyarrow {name}")
    groups = pq.ParquetFile(parquet).metadata.num_row_groups

    with pa.memory_map(str(root / "arrow" / config / f"{split}.arrow")) as source:
        arrow = pa.ipc.open_file(source).read_all()
    same(wanted, plain(arrow.to_pylist()), f"arrow {name}")
    assert b"huggingface" in arrow.schema.metadata and b"huggingface" in table.schema.metadata

    loaded = datasets.load_dataset(str(root / "parquet"), config, split=split)
    pictures = [key for key, feature in loaded.features.items() if isinstance(feature, datasets.Image)]
    pictures += [key for key, feature in loaded.features.items()
                 if isinstance(getattr(feature, "feature", None), datasets.Image)]
    assert all((key in pictures) == ("image" in key or key in ("final_shadow", "target", "book_page"))
               for key in loaded.features), loaded.features
    decoded = 0
    for wanted_row, row in zip(wanted, loaded, strict=True):
        for key in pictures:
            ours = wanted_row[key] if isinstance(wanted_row[key], list) else [wanted_row[key]]
            theirs = row[key] if isinstance(row[key], list) else [row[key]]
            assert len(ours) == len(theirs)
            for a, b in zip(ours, theirs):
                assert (a is None) == (b is None)
                if b is not None:
                    from PIL import Image
                    assert Image.open(io.BytesIO(base64.b64decode(a["bytes"]))).tobytes() == b.tobytes()
                    decoded += 1
        rest = {key: value for key, value in row.items() if key not in pictures}
        same({key: value for key, value in wanted_row.items() if key not in pictures}, rest, f"datasets {name}")

    cursor = duckdb.sql(f"select * from '{parquet}'")
    columns = cursor.columns
    for wanted_row, row in zip(wanted, cursor.fetchall(), strict=True):
        same(wanted_row, plain(dict(zip(columns, row))), f"duckdb {name}")

    with open(root / "csv" / config / f"{split}.csv", newline="") as handle:
        for wanted_row, row in zip(wanted, csv.DictReader(handle), strict=True):
            assert wanted_row.keys() == row.keys()
            for key, value in wanted_row.items():
                if key in pictures:
                    paths = json.loads(row[key]) if isinstance(value, list) else [row[key]]
                    for one, path in zip(value if isinstance(value, list) else [value], paths):
                        if one is not None:
                            assert (root / "csv" / path).read_bytes() == base64.b64decode(one["bytes"])
                elif value is None:
                    assert row[key] == "", (name, key, row[key])
                elif isinstance(value, str):
                    assert row[key] == value, (name, key)
                elif isinstance(value, bool):
                    assert row[key] == str(value).lower()
                else:
                    same(value, json.loads(row[key]), f"csv {name}.{key}")
    print(f"{name}: {len(wanted)} rows, {groups} row groups, {decoded} pictures, {len(columns)} columns")

# As the descriptions of the data sets read them.
stream = datasets.load_dataset(str(root / "parquet"), "steps", split=split_of(root / "jsonl/steps"), streaming=True)
with_image = next(iter(stream.filter(lambda step: step["image"] is not None)))
print(f"streamed {with_image['episode_id']} step {with_image['step']}: {with_image['image'].size} pixels")
scenes = root / "parquet/episodes/*.parquet"
if "final_scene" in duckdb.sql(f"select * from '{scenes}'").columns:
    [(count, groups)] = duckdb.sql(
        f"select count(*), count(distinct g.id) from (select unnest(final_scene) g from '{scenes}')").fetchall()
    print(f"duckdb unnests {count} Gaussians of final scenes, {groups} ids")
print(f"datasets {datasets.__version__}, pyarrow {pa.__version__}, duckdb {duckdb.__version__}: all the same")
