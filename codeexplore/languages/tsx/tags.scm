; TSX is TypeScript with markup: both come with the shared queries.
