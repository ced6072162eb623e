; fp rounding modes
(set-logic QF_FP)
(set-info :status sat)
(declare-const m RoundingMode)
(declare-const x Float32)
(assert (fp.lt (fp.roundToIntegral m x) x))
(assert (fp.gt (fp.roundToIntegral roundTowardPositive x) x))
(assert (distinct m RTZ))
(check-sat)
