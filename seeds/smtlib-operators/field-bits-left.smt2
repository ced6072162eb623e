; Sums of bits in a finite field.
(set-logic ALL)
(declare-const x (_ FiniteField 7))
(declare-const y (_ FiniteField 7))
(declare-const z (_ FiniteField 7))
(assert (= (ff.bitsum (ff.mul x y) y z) (ff.neg (ff.add x z))))
(assert (distinct (ff.neg (ff.mul x y)) (ff.mul y z)))
(check-sat)
