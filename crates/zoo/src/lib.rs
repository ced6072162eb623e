//! Small processors with planted bugs and bad manners.
