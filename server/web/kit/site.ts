import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { findOwnOrigin } from "../../http/origin.ts";
import type { Text } from "../../../shared/language.ts";
import type { Site } from "./document.tsx";

declare module "fastify" {
  interface FastifyRequest {
    readonly site: Site;
  }
}

const DESCRIPTION: Text = {
  fr: "shipscore visite vos pages comme le ferait un visiteur et leur donne un score de 0 à 100, expliqué point par point.",
  en: "shipscore visits your pages as a visitor would and gives them a score from 0 to 100, explained point by point.",
};

/** The server as its pages name it to whoever asked for this host. */
export function siteOf(config: Config, host: string | undefined): Site {
  return { origin: findOwnOrigin(host, config) };
}

/** The server as pages name it that are kept for everybody: by its public URL, if it has one. */
export const publicSiteOf = (config: Config): Site => siteOf(config, undefined);

/** Makes every request know the server as its page names it. */
export function decorateSite(door: FastifyInstance, config: Config): void {
  door.decorateRequest("site", {
    getter(this: FastifyRequest) {
      return siteOf(config, this.headers.host);
    },
  });
}

/** What previews of a page of the application show. */
export const previewOf = ({ site }: FastifyRequest) => ({ description: DESCRIPTION, site });
