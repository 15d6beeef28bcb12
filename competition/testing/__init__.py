"""For the tests of plugins: what every storage and every mail transport has to do."""
