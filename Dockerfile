# The board in the browser, with the engine inside:
#
#   docker build --tag ratlla-gui .
#   docker run --init --rm --publish 127.0.0.1:8427:8427 ratlla-gui
#
# Open the printed address with "localhost" in place of "0.0.0.0".
FROM rust:1.95-slim-bookworm AS build
WORKDIR /ratlla
COPY . .
RUN cargo install --locked --path tools/gui --root /installed

FROM debian:bookworm-slim
COPY --from=build /installed/bin/ratlla-gui /usr/local/bin/
USER nobody
EXPOSE 8427
ENTRYPOINT ["ratlla-gui", "--listen", "0.0.0.0:8427"]
