; literals of all kinds
(set-logic ALL)
(set-info :status unsat)
(set-info :smt-lib-version 2.6)
(set-info :category "crafted")
(set-info :source |Several
lines of "text"|)
(assert (not (and (= #b1010 #xA (_ bv10 4)) (= 1.50 1.5) (= "" (str.++ "" "")))))
(check-sat)
