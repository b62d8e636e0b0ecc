// Package scene makes up square kilometres of landscape of which everything is known: terrain and surface models of three
// dates as laser scans measure them, orthophotos, vegetation index, land cover, radar, forest loss, cadastre and
// infrastructure, and the truth behind them: trees with crowns and species, classes, and the changes between the dates with
// their areas and volumes. Tests of change detection, segmentation and tree detection call it in memory; Write makes files.
//
// A scene is a function of its place, seed and options. Every object hangs on a lattice in EPSG:3035, so that a tile computed
// alone equals the same tile of a larger scene. Values are the same on every processor: products are rounded by an explicit
// conversion before they are added (no fused multiply-add), and beyond the four operations only the square root is used.
//
// Parameters (densities, crown shapes, noise, buildings, growth) are those of surveys and of the literature: crowns by Popescu
// & Wynne 2004 and Eysn et al. 2015, height loss of first returns by Monnet 2011, noise and volumes by Wheaton et al. 2010.
package scene
