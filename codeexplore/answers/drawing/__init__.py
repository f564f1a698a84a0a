"""Drawings of graphs: `layout` finds coordinates, `svg` makes still pictures, `vis_network` a page to drag and zoom."""
