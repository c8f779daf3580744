from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("api", "0001_initial"),
    ]

    operations = [
        migrations.RenameModel(
            old_name="Token",
            new_name="ApiToken",
        ),
        migrations.RenameField(
            model_name="ApiToken",
            old_name="digest",
            new_name="token_digest",
        ),
        migrations.RenameField(
            model_name="ApiToken",
            old_name="submission",
            new_name="submission_id",
        ),
        migrations.RenameField(
            model_name="ApiToken",
            old_name="made",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="ApiToken",
            old_name="ends",
            new_name="expires_at",
        ),
        migrations.RenameField(
            model_name="ApiToken",
            old_name="used",
            new_name="last_used_at",
        ),
        migrations.AlterModelOptions(
            name="apitoken",
            options={"ordering": ["-created_at", "-id"]},
        ),
    ]
