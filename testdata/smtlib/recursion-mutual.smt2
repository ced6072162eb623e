; recursion mutual
(set-logic UFLIA)
(set-info :status unsat)
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))
(assert (even 3))
(check-sat)
