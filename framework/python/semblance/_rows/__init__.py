# SPDX-License-Identifier: MIT
"""Samples in the runtime's form: float32 values in one layout.

Float32 arrays in C order are passed on in place; everything else is converted once.

===========  ==============================================================================
layout       form in Python
===========  ==============================================================================
vector       (n, columns): an array, a data frame, a table of Polars or PyArrow
sparse       (n, columns): a sparse matrix or array of SciPy, a data frame of sparse columns
image        (n, height, width) or (n, height, width, channels); a list of pictures of Pillow;
             flat rows with `image_shape`
grid         (n, height, width, values)
sequence     (n, steps), (n, channels, steps), or a list of arrays (steps,), (channels, steps),
             also in the cells of a pandas.Series or of a data frame, a column per channel; a data
             frame whose rows are (sample, time), if the component takes no tables;
             steps at the end that are NaN in all channels are padding
string       a list or an array of str
set          (n, points, coordinates), or a list of arrays (points, coordinates)
graph        a list of graphs of networkx or igraph, whose nodes and edges may have a ``label`` and
             numbers, ``attributes``; of PyTorch Geometric, with ``x`` and ``edge_attr`` as
             attributes; of molecules of RDKit, or SMILES; of tuples
             (edges, node labels) or (edges, node labels, edge labels), where a number of nodes
             may stand for their labels; or of square adjacency matrices of 0 and 1, sparse or not.
             Edges of a tuple have no direction: a list of tuples (from, to), an array (m, 2), or
             an array (2, m) that lists each edge in both directions
===========  ==============================================================================
"""

from .form import Layout, Samples, TABLES, as_python, in_common, is_ragged, size_of
from .tables import (DENSE_NEEDED, as_float32, check_digits, is_sparse, passes_checks,
                     sparse_vectors)
from .given import samples, table_of, texts_of, vectors
from .graphs import both_graphs
from .kinds import from_tslearn, is_list_of_arrays, is_panel, layout_kind

__all__ = ["DENSE_NEEDED", "Layout", "Samples", "TABLES", "as_float32", "as_python", "check_digits",
           "both_graphs", "from_tslearn", "in_common", "is_list_of_arrays", "is_panel",
           "is_ragged", "is_sparse", "layout_kind", "passes_checks", "samples", "size_of",
           "sparse_vectors", "table_of", "texts_of", "vectors"]
