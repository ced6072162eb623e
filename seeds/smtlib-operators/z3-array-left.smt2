; What z3 alone has of arrays.
(set-logic ALL)
(declare-const M (Array Int Int))
(declare-const N (Array Int Int))
(declare-const i Int)
(assert (= (default N) i))
(assert (distinct (array-ext N N) i))
(check-sat)
