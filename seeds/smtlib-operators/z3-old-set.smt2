; How many there are in a set as an array, which z3 had.
(set-logic ALL)
(declare-const X (Array Int Bool))
(declare-const Y (Array Int Bool))
(assert (set-has-size X 2))
(assert (= (card Y) 1))
(check-sat)
