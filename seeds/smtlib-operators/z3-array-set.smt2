; Sets as arrays.
(set-logic ALL)
(declare-const X (Array Int Bool))
(declare-const Y (Array Int Bool))
(assert (subset (union X Y) (complement (intersection X Y))))
(assert (not (= (setminus X Y) X)))
(check-sat)
