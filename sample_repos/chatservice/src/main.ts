import { Server, setSink } from "@core";
import createApp from "./app";
import { readConfig } from "./config";

const config = readConfig(process.env);
const app = await createApp({ config });
const server = new Server(app.router);

if (process.env.CHAT_TRACE) {
  setSink((span) => console.log(`${span.name}: ${span.milliseconds.toFixed(1)} ms`));
}

app.sessions.start();
await server.listen(config.port);
console.log(`listening on http://localhost:${config.port}`);

process.once("SIGINT", shutDown);

function shutDown(): void {
  app.sessions.stop();
  server.close();
}
