; arrays read over write
(set-logic QF_ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (distinct (select (store a i 5) j) (ite (= i j) 5 (select a j))))
(check-sat)
