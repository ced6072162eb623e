; The sum of two halves rounded down is at most one short.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun d () Int)
(assert (= d (- (div (+ x y) 2) (+ (div x 2) (div y 2)))))
(assert (or (< d 0) (> d 1) (and (= d 1) (= (mod x 2) 0))))
(check-sat)
