package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// untilStopped is done at SIGTERM, SIGINT, or the end of standard input. Only a pipe or socket counts as an input
// that ends: a process in the background may have /dev/null there, which ends at once.
func untilStopped() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	info, err := os.Stdin.Stat()
	if err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		go func() {
			io.Copy(io.Discard, os.Stdin)
			stop()
		}()
	}
	return ctx, stop
}
