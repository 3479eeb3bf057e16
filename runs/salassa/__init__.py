"""The searches and figures of Schaus and Deville."""
