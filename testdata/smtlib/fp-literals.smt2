; fp literals
(set-logic QF_BVFP)
(set-info :status unsat)
(define-fun one () Float32 (fp #b0 #b01111111 #b00000000000000000000000))
(assert (not (and (= one ((_ to_fp 8 24) RNE 1.0))
                  (= one ((_ to_fp 8 24) #x3f800000))
                  (= one ((_ to_fp 8 24) RNE ((_ to_fp 5 11) RNE 1.0))))))
(check-sat)
