module example.org/jobworker

go 1.19
