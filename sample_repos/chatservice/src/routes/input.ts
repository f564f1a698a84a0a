import { BadRequest, type HttpRequest } from "@core";

/** A non-empty string out of a JSON body. */
export function stringField(request: HttpRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  if (typeof value !== "string" || value === "") {
    throw new BadRequest(`"${name}" is missing`);
  }
  return value;
}

/** A named part of the path. */
export function pathPart(request: HttpRequest, name: string): string {
  return request.params[name] ?? "";
}
