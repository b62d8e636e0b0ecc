"""Makes rows and classes, fits scikit-learn's random forest on them, and prints what it took as JSON.

Arguments: a folder for the data, rows, held-out rows, features, classes, trees. The folder gets train.f32 and test.f32 (by
column, little-endian) and train.u8 and test.u8.
"""

import json
import os
import sys
import time

import numpy
import sklearn
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier


def cpu():
    t = os.times()
    return t.user + t.system


folder, rows, held, features, classes, trees = sys.argv[1], *map(int, sys.argv[2:])
x, y = make_classification(
    n_samples=rows + held,
    n_features=features,
    n_informative=features // 3,
    n_redundant=features // 4,
    n_classes=classes,
    n_clusters_per_class=3,
    weights=[1 / (k + 4) / sum(1 / (i + 4) for i in range(classes)) for k in range(classes)],
    class_sep=0.9,
    flip_y=0.05,
    random_state=23,
)
x = x.astype("<f4")
parts = {"train": slice(0, rows), "test": slice(rows, None)}
for name, part in parts.items():
    numpy.asfortranarray(x[part]).ravel(order="F").tofile(os.path.join(folder, name + ".f32"))
    y[part].astype("u1").tofile(os.path.join(folder, name + ".u8"))

forest = RandomForestClassifier(
    n_estimators=trees, max_depth=20, min_samples_leaf=5, class_weight="balanced", oob_score=True, n_jobs=2, random_state=1
)
start, wall = cpu(), time.time()
forest.fit(x[parts["train"]], y[parts["train"]])
fit, wall = cpu() - start, time.time() - wall
forest.n_jobs = 1
start = cpu()
accuracy = float((forest.predict(x[parts["test"]]) == y[parts["test"]]).mean())
predict = cpu() - start
print(
    json.dumps(
        {
            "name": "scikit-learn " + sklearn.__version__,
            "fit": fit,
            "wall": wall,
            "predict": predict,
            "oob": float(forest.oob_score_),
            "held_out": accuracy,
            "nodes": sum(t.tree_.node_count for t in forest.estimators_),
        }
    )
)
