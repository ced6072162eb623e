; What z3 alone has of arrays.
(set-logic ALL)
(declare-const M (Array Int Int))
(declare-const N (Array Int Int))
(declare-const i Int)
(assert (= (default M) i))
(assert (distinct (array-ext M N) i))
(check-sat)
