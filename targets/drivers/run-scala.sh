#!/bin/sh
# Stands for Scala's commands as Debian has them, unpacked without root.
#
#   run-scala.sh ROOT compile WORD...        scalac
#   run-scala.sh ROOT run FOLDER NAME        runs an object that scalac made
root=$1
what=$2
shift 2

# The machine's own Java, unless one came along with the packages.
java=java
for own in "$root"/usr/lib/jvm/*/bin/java; do
    if [ -x "$own" ]; then java=$own; fi
done

classes=
for jar in "$root"/usr/share/java/scala-*-2.*.jar "$root"/usr/share/java/scala-*_2.*-*.jar; do
    classes=$classes$jar:
done

# One thread and the first of Java's compilers: a process lives for a second or two.
machine() {
    exec "$java" -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xss4m -Xmx1g "$@"
}

case $what in
compile) machine -cp "$classes" scala.tools.nsc.Main -usejavacp "$@" ;;
run) machine -cp "$classes$1" "$2" ;;
esac
