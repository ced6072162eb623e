; fp conversions
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const b (_ BitVec 8))
(declare-const x (_ FloatingPoint 5 11))
(assert (= x ((_ to_fp 5 11) RNE b)))
(assert (= b ((_ fp.to_sbv 8) RTZ x)))
(assert (= x (fp.neg ((_ to_fp_unsigned 5 11) RNE #x05))))
(check-sat)
