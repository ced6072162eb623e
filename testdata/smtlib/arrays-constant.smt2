; arrays constant
(set-logic QF_ABV)
(set-info :status unsat)
(define-sort Memory () (Array (_ BitVec 4) (_ BitVec 8)))
(declare-const address (_ BitVec 4))
(define-fun zeroed () Memory ((as const Memory) #x00))
(assert (not (= (select (store zeroed #xa #x01) address) (ite (= address #xa) #x01 #x00))))
(check-sat)
