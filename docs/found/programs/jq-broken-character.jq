"6WU=" | @base64d | explode
