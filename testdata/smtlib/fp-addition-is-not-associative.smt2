; fp addition is not associative
(set-logic QF_FP)
(set-info :status sat)
(declare-const a (_ FloatingPoint 3 5))
(declare-const b (_ FloatingPoint 3 5))
(declare-const c (_ FloatingPoint 3 5))
(define-fun finite ((x (_ FloatingPoint 3 5))) Bool
  (not (or (fp.isNaN x) (fp.isInfinite x))))
(assert (and (finite a) (finite b) (finite c)))
(assert (finite (fp.add RNE (fp.add RNE a b) c)))
(assert (finite (fp.add RNE a (fp.add RNE b c))))
(assert (not (fp.eq (fp.add RNE (fp.add RNE a b) c) (fp.add RNE a (fp.add RNE b c)))))
(check-sat)
