"""The rules of invigilation: `signs` has when candidates were last seen, `watching` where they
stand."""
