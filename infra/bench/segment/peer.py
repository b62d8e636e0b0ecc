# Times of scikit-image for the steps of segmentation, in seconds of processor time, the best of three; and what it found.
import json, sys, time
import numpy as np
from skimage.segmentation import watershed, felzenszwalb
from skimage.measure import regionprops_table
from skimage.feature import graycomatrix
try:
    from skimage.graph import rag_boundary, cut_threshold
except ImportError:
    from skimage.future.graph import rag_boundary, cut_threshold

folder, n = sys.argv[1], int(sys.argv[2])
read = lambda name, kind: np.fromfile(f"{folder}/{name}", kind).reshape(n, n)
edges, markers, labels = read("edges", "<f4"), read("markers", "<i4"), read("labels", "<i4")
bands = np.stack([read(f"band{i}", "<f4") for i in range(3)], axis=-1)

def best(work, times=3):
    out, least = None, 1e9
    for _ in range(times):
        t = time.process_time()
        out = work()
        least = min(least, time.process_time() - t)
    return out, least

def rand(a, b):
    """Adjusted Rand index."""
    _, a = np.unique(a, return_inverse=True)
    _, b = np.unique(b, return_inverse=True)
    pairs = lambda c: (c.astype(float) * (c - 1) / 2).sum()
    _, both = np.unique(a.ravel().astype(np.int64) * (b.max() + 1) + b.ravel(), return_counts=True)
    i, x, y = pairs(both), pairs(np.bincount(a.ravel())), pairs(np.bincount(b.ravel()))
    e = x * y / (a.size * (a.size - 1) / 2)
    return (i - e) / ((x + y) / 2 - e)

flooded, tw = best(lambda: watershed(edges, markers, connectivity=1))
parts, tf = best(lambda: felzenszwalb(bands, scale=150, sigma=0.8, min_size=30, channel_axis=-1), 1)
def graph():
    g = rag_boundary(labels, edges, connectivity=1)
    cut_threshold(labels, g, 0.12)
    return g.number_of_edges()
borders, tg = best(graph, 1)
props = ("area", "perimeter", "solidity", "extent", "eccentricity", "major_axis_length", "minor_axis_length", "mean_intensity", "max_intensity")
_, tp = best(lambda: regionprops_table(labels, intensity_image=bands, properties=props), 1)
print(json.dumps({"watershed": tw, "felzenszwalb": tf, "graph": tg, "features": tp, "borders": int(borders), "components": int(parts.max() + 1),
    "watershed_rand": rand(read("flooded", "<i4"), flooded), "felzenszwalb_rand": rand(read("components", "<i4"), parts)}))
