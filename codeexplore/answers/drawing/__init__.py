"""Drawings of graphs: `layout` has coordinates, `svg` still pictures, and `vis_network` pages to drag and zoom."""
