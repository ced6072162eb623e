; i = j and v = 1 is a solution. The solver says unsat.
; Bad: z3 4.8.9 (refutation-unsound). Good: 4.8.0 (post1) to 4.8.8, and from 4.8.10 on.
(set-logic ALL)
(set-info :status sat)
(declare-fun v () Int)
(declare-fun i () Int)
(declare-fun j () Int)
(define-fun ones () (Array Int Int) ((as const (Array Int Int)) 1))
(assert (= (store (store ones i 0) j v) ones))
(check-sat)
