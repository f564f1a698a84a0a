"""Drawings of graphs: `layout` computes coordinates, `svg` makes still pictures, `vis_network` pages to drag and zoom."""
