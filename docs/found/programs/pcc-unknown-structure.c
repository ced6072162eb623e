struct b p {}
