; What cvc5 alone has of arrays.
(set-logic ALL)
(declare-const M (Array Int Int))
(declare-const N (Array Int Int))
(declare-const i Int)
(assert (eqrange M N i (+ i 2)))
(assert (distinct M N))
(check-sat)
