//! Numbers along several axes as one index.

/// All points with coordinate *i* from 0 to `most[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    most: Vec<usize>,
    strides: Vec<usize>,
    cells: usize,
}

impl Grid {
    /// `None` if it has more than `limit` points.
    pub(super) fn new(most: Vec<usize>, limit: usize) -> Option<Grid> {
        let mut strides = Vec::with_capacity(most.len());
        let mut cells = 1usize;
        for &most in &most {
            strides.push(cells);
            cells = cells.checked_mul(most + 1).filter(|&all| all <= limit)?;
        }
        Some(Grid {
            most,
            strides,
            cells,
        })
    }

    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// How far the index of a point moves with its coordinate on `axis`.
    pub(super) fn stride(&self, axis: usize) -> usize {
        self.strides[axis]
    }

    /// The coordinates of a point.
    pub(super) fn read(&self, cell: usize, point: &mut Vec<usize>) {
        point.clear();
        let coordinate = |(&most, &stride): (&usize, &usize)| cell / stride % (most + 1);
        point.extend(self.most.iter().zip(&self.strides).map(coordinate));
    }

    pub(super) fn index(&self, point: &[usize]) -> usize {
        point
            .iter()
            .zip(&self.strides)
            .map(|(at, stride)| at * stride)
            .sum()
    }
}
