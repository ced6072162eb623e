; arrays of arrays
(set-logic QF_ALIA)
(set-info :status sat)
(declare-const grid (Array Int (Array Int Bool)))
(assert (select (select grid 1) 2))
(assert (not (select (select (store grid 1 (store (select grid 1) 3 false)) 1) 3)))
(check-sat)
