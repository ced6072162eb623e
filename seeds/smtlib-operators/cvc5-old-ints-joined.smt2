; Spellings and functions of integers that some releases of cvc5 have.
(set-logic ALL)
(declare-const i Int)
(declare-const j Int)
(assert (= (** 2 j) (iand 4 (+ i j) j)))
(assert (int.ispow2 (+ i j)))
(check-sat)
