"""Opens layers in QGIS, without a window, and draws each.

Reads from the standard input a list of

    {"name": "wms", "provider": "wms" | "ogr" | "OAPIF" | "vectortile" | "gdal", "uri": "...",
     "crs": "EPSG:3857", "box": [west, south, east, north], "width": 800, "height": 800,
     "features": true, "identify": [x, y], "outline": "#555555"}

(outline: areas of a vector layer are drawn as borders of a pixel in this colour and not in a colour that QGIS chooses) and writes into the folder of its argument NAME.png, drawn in that system and box, and answer.json: a list of

    {"name", "valid", "crs", "style": renderer or what was loaded, "labels", "count", "fields": {name: type},
     "features": [{column: value}], "identified": ["html"], "legend": [width, height], "messages": [text]}

Only Python and Debian's python3-qgis are needed.
"""
import json
import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("XDG_RUNTIME_DIR", sys.argv[1])

from qgis.core import (  # noqa: E402
    Qgis, QgsApplication, QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsFeatureRequest, QgsFillSymbol,
    QgsMapRendererParallelJob, QgsMapSettings, QgsProject, QgsRaster, QgsRasterLayer, QgsRectangle, QgsSingleSymbolRenderer,
    QgsVectorLayer, QgsVectorTileLayer)
from qgis.PyQt.QtCore import QEventLoop, QSize, QVariant  # noqa: E402
from qgis.PyQt.QtGui import QColor  # noqa: E402

RASTERS = ("wms", "gdal")


def opened(ask):
    """The layer, as a user adds it."""
    if ask["provider"] == "vectortile":
        return QgsVectorTileLayer(ask["uri"], ask["name"])
    if ask["provider"] in RASTERS:
        return QgsRasterLayer(ask["uri"], ask["name"], ask["provider"])
    return QgsVectorLayer(ask["uri"], ask["name"], ask["provider"])


def settings_of(ask, layer):
    s = QgsMapSettings()
    s.setLayers([layer])
    s.setDestinationCrs(QgsCoordinateReferenceSystem(ask["crs"]))
    s.setExtent(QgsRectangle(*ask["box"]))
    s.setOutputSize(QSize(ask["width"], ask["height"]))
    s.setBackgroundColor(QColor("white"))
    return s


def draw(ask, layer, folder):
    job = QgsMapRendererParallelJob(settings_of(ask, layer))
    loop = QEventLoop()
    job.finished.connect(loop.quit)
    job.start()
    if job.isActive():
        loop.exec_()
    job.renderedImage().save(os.path.join(folder, ask["name"] + ".png"))
    return [e.message for e in job.errors()]


def vector(ask, layer, answer):
    answer["style"] = layer.renderer().type() if layer.renderer() else ""
    answer["labels"] = layer.labelsEnabled()
    answer["fields"] = {f.name(): f.typeName() for f in layer.fields()}
    answer["count"] = layer.featureCount()
    if "outline" in ask:
        layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(
            {"style": "no", "outline_color": ask["outline"], "outline_width": "1", "outline_width_unit": "Pixel"})))
    if not ask.get("features"):
        return
    there = QgsCoordinateTransform(QgsCoordinateReferenceSystem(ask["crs"]), layer.crs(), QgsProject.instance())
    names = layer.fields().names()
    rows = layer.getFeatures(QgsFeatureRequest(there.transformBoundingBox(QgsRectangle(*ask["box"]))))
    answer["features"] = [dict(zip(names, map(plain, f.attributes()))) for f in rows]


def plain(value):
    """A value of a feature; NULL of QGIS is None."""
    if isinstance(value, QVariant):
        return None if value.isNull() else str(value.value())
    return value if isinstance(value, (str, int, float, bool, list)) or value is None else str(value)


def raster(ask, layer, answer):
    answer["count"] = layer.bandCount()
    box = QgsRectangle(*ask["box"])
    provider = layer.dataProvider()
    if "identify" in ask:
        at = QgsRectangle(*ask["identify"], *ask["identify"]).center()
        found = provider.identify(at, QgsRaster.IdentifyFormatHtml, box, ask["width"], ask["height"])
        answer["identified"] = [str(v) for v in found.results().values()] if found.isValid() else [found.error().message()]
    fetch = provider.getLegendGraphicFetcher(settings_of(ask, layer)) if ask.get("legend") else None
    if fetch:
        loop = QEventLoop()
        fetch.finish.connect(lambda image: (answer.update(legend=[image.width(), image.height()]), loop.quit()))
        fetch.error.connect(lambda text: (answer["messages"].append(text), loop.quit()))
        fetch.start()
        loop.exec_()


def main():
    folder = sys.argv[1]
    QgsApplication.setPrefixPath("/usr", True)
    app = QgsApplication([], False)
    app.initQgis()
    messages = []
    app.messageLog().messageReceived.connect(
        lambda text, tag, level: messages.append(tag + ": " + text) if level in (Qgis.Warning, Qgis.Critical) else None)
    answers, layers = [], []
    for ask in json.load(sys.stdin):
        layer = opened(ask)
        layers.append(layer)
        answer = {"name": ask["name"], "valid": layer.isValid(), "crs": layer.crs().authid(), "messages": []}
        answers.append(answer)
        if layer.isValid():
            if ask["provider"] == "vectortile":
                error, loaded = layer.loadDefaultStyle()
                answer["style"] = "loaded" if loaded else error
            elif ask["provider"] in RASTERS:
                raster(ask, layer, answer)
            else:
                vector(ask, layer, answer)
            answer["messages"] += draw(ask, layer, folder)
        answer["messages"] += messages
        messages.clear()
    with open(os.path.join(folder, "answer.json"), "w", encoding="utf-8") as out:
        json.dump(answers, out)
    out.close()
    os._exit(0)  # QGIS may end in a fault when Python takes its layers down


main()
